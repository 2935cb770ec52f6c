/// The isolation of workers.
enum IsolationChoice: String, CaseIterable {
    /// Sandboxed processes.
    case process
    /// Threads of the service.
    case thread
}
