// ImageCodec
