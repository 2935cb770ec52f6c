import HeadroomAPI

/// What a setting has come to, and where that came from.
struct EffectiveSetting: Sendable {
    /// A value, as far as it may be told.
    enum Value: Equatable, Sendable {
        /// As it would be written.
        case text(String)
        /// Not to be shown.
        case secrets([Secret])
        /// There is none.
        case none
    }

    let name: String
    let value: Value
    /// How many people find the place: `--port`, `HEADROOM_PORT`, `headroom.yaml:3`, `default`.
    let source: String
    /// Whether a new value is taken over while the service runs.
    let isReloadable: Bool
}
