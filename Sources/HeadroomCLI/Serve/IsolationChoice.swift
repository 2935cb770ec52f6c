/// Where pictures are worked on.
enum IsolationChoice: String, CaseIterable {
    /// In processes of their own, which can reach nothing and may crash.
    case process
    /// On threads of the service.
    case thread
}
