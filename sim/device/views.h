/* device/views.h - who is told of the instructions of a timed launch. */
#ifndef WARPBOOK_DEVICE_VIEWS_H
#define WARPBOOK_DEVICE_VIEWS_H

#include "device/device.h"

/* Is anybody to be told? */
bool views_watch(const gpu_device *dev);
/* Tells them; the context is the gpu_device. */
void views_event(void *context, const SmEvent *e);
/* Ends what is under way. */
void views_release(gpu_device *dev);

#endif
