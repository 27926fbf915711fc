/* device/views.h - who is told of the instructions of a timed launch. */
#ifndef WARPBOOK_DEVICE_VIEWS_H
#define WARPBOOK_DEVICE_VIEWS_H

#include "device/device.h"

/* Is anybody to be told? */
bool views_watch(const gpu_device *dev);
/* Tells them; the context is the gpu_device. */
void views_event(void *context, const SmEvent *e);
/* Ends what is under way. */
/* Where an instruction stands in the source, as gpu_event has it. */
void views_place(gpu_device *dev, const Function *fn, uint32_t pc, const char **file,
                 uint32_t *line);
void views_release(gpu_device *dev);

#endif
