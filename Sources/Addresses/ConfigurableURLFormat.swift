package import HeadroomAPI

/// The URL format of a service that an operator can enable: its name, its settings and its translation.
///
/// A value contains the settings of the service, which ``settings`` define.
package protocol ConfigurableURLFormat: URLFormat {
    /// The name of the service, and the paths of its URLs.
    static var name: URLFormatName { get }

    /// The name of the service in the documentation.
    static var title: String { get }

    /// The settings, in the order of the help.
    static var settings: [URLFormatSetting<Self>] { get }

    /// The URL format with the defaults of all settings.
    init()

    /// Returns a sentence for each rule between settings that the values violate.
    ///
    /// - Parameter isComplete: Whether every setting could be read, so that an empty value is the operator's choice.
    /// - Returns: No sentences for valid settings.
    func problems(isComplete: Bool) -> [String]
}

extension ConfigurableURLFormat {
    package static var settings: [URLFormatSetting<Self>] { [] }

    package func problems(isComplete: Bool) -> [String] { [] }
}
