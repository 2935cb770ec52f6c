package import FaceDetection

extension FaceDetectorModel {
    /// Creates the search of one worker: the strategy of its detector, or a ``PyramidSearch``.
    ///
    /// - Throws: ``DetectionError``, or an error of the detector's implementation.
    package func makeSearch() throws -> any FaceSearch {
        let detector = try makeDetector()
        let subjects = try SubjectSearch()
        if let detector = detector as? any SearchingDetector { return detector.makeSearch(subjects: subjects) }
        return PyramidSearch(detector, subjects: subjects)
    }
}
