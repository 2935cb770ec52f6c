package import HTTPTypes

extension HTTPFields {
    /// Returns the value of a field; nil if the field is missing.
    ///
    /// Several fields with the same name are joined, as with the subscript. For one field, the usual case, this is
    /// faster than the subscript, which builds a sequence.
    package func value(of name: HTTPField.Name) -> String? {
        var found: String?
        for index in indices where self[index].name.canonicalName == name.canonicalName {
            guard found == nil else { return self[name] }
            found = self[index].value
        }
        return found
    }
}
