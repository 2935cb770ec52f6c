#pragma once

#include "hr_jpeg_decoder.h"

/// Starts counting lost MCUs; `one` if the MCU that is being decoded is also lost.
void hr_jpeg_measure_loss(hr_jpeg_decoder *decoder, bool one);

/// Whether more than half of the image is lost, or will be lost because data are missing and none can follow.
bool hr_jpeg_lost_most(const hr_jpeg_decoder *decoder, bool data_are_missing);

/// Fails the call with libjpeg's last message.
_Noreturn void hr_jpeg_refuse(hr_jpeg_decoder *decoder);
