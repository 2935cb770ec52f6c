#pragma once

#include "hr_jpeg_decoder.h"

/// Counts the MCUs that are lost from now on; `one` if the one that is decoded is.
void hr_jpeg_measure_loss(hr_jpeg_decoder *decoder, bool one);

/// Whether more than half of the image is lost, or will be as data are missing and none can follow.
bool hr_jpeg_lost_most(const hr_jpeg_decoder *decoder, bool data_are_missing);

/// Ends the call with libjpeg's last message.
_Noreturn void hr_jpeg_refuse(hr_jpeg_decoder *decoder);
