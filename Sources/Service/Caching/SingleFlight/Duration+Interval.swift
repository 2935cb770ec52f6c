import Dispatch

extension Duration {
    /// The duration as a Dispatch interval in whole microseconds.
    var interval: DispatchTimeInterval { .microseconds(Int(self / .microseconds(1))) }
}
