// ImageSource
