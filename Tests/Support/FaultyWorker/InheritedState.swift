import Glibc

/// The state that a process inherited from its parent.
enum InheritedState {
    /// The descriptors, and the names of the environment variables.
    static var description: String {
        var descriptors: [Int] = []
        // Descriptors inherited from a test process are far below this number.
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
