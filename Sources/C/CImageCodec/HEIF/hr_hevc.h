#pragma once

#ifdef HR_HEIC

/// Has libheif decode HEVC with hr_hevc.c, from now on.
void hr_hevc_register(void);

#endif
