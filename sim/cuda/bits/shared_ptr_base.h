/* bits/shared_ptr_base.h - libstdc++'s, without the macro __noinline__, which it uses as a word. */
#ifdef __noinline__
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
#else
#include_next <bits/shared_ptr_base.h>
#endif
