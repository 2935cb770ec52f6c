import Glibc

/// What a process inherited from its parent.
enum InheritedState {
    /// Its descriptors and the names of its variables.
    static var description: String {
        var descriptors: [Int] = []
        // The highest that could have been inherited from a test process is far below.
        for number in 0..<4096 where fcntl(Int32(number), F_GETFD) != -1 { descriptors.append(number) }
        var names: [String] = []
        var next = environ
        while let text = next.pointee {
            names.append(String(String(cString: text).prefix { $0 != "=" }))
            next += 1
        }
        return "descriptors \(descriptors) variables \(names.filter { $0 != "LD_LIBRARY_PATH" })"
    }
}
