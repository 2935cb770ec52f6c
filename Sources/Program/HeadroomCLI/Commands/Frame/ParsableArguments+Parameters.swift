import ArgumentParser
import Requests

extension ParsableArguments {
    /// The request parameters given as options: each option with the name of a parameter, or with its old name.
    var givenParameters: [(name: String, value: String)] {
        Mirror(reflecting: self).children.compactMap { label, value in
            // A property wrapper is stored as the name of its property with a leading underscore.
            guard let name = label.map({ String($0.dropFirst()) }),
                Parameter.named(name) != nil || DeprecatedName.parameter(name) != nil
            else { return nil }
            let text =
                switch value {
                case let option as Option<String?>: option.wrappedValue
                case let flag as Flag<Bool>: flag.wrappedValue ? "true" : nil
                default: String?.none
                }
            return text.map { (name, $0) }
        }
    }
}
