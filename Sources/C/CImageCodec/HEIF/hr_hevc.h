#pragma once

#ifdef HR_HEIC

struct heif_image;

/// Has libheif decode HEVC with hr_hevc.c, from now on.
void hr_hevc_register(void);

/// Keeps the first picture that this thread decodes from now on in `*picture`, which is NULL before: libheif 1.15
/// converts the samples that are coded to RGB and back. It gets a picture of the same size instead. NULL ends that.
void hr_hevc_keep(struct heif_image **picture);

#endif
