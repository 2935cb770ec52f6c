extension Parameter.Routes {
    /// The paths of the routes, for messages.
    var paths: String {
        var paths: [String] = []
        if contains(.frame) { paths.append("/frame") }
        if !isDisjoint(with: [.portraits, .list, .annotated]) { paths.append("/faces") }
        if contains(.portraits) { paths.append("/faces/N") }
        if contains(.stream) { paths.append("/stream") }
        // bounded: more than one element
        return paths.count < 2
            ? paths.joined() : "\(paths.dropLast().joined(separator: ", ")) and \(paths[paths.count - 1])"
    }
}
