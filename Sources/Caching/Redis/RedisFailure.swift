/// A Redis error; the text is for logs and never contains the password.
struct RedisFailure: Error, CustomStringConvertible {
    let description: String
}
