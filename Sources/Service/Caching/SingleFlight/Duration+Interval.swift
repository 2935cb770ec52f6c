import Dispatch

extension Duration {
    /// The duration for Dispatch, in whole microseconds.
    var interval: DispatchTimeInterval { .microseconds(Int(self / .microseconds(1))) }
}
