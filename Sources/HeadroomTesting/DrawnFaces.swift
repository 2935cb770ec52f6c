// Whoever draws pictures for tests draws faces.
@_exported public import DrawnFaces
