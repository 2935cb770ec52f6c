import Motion

extension FaceSample {
    init(frame: Int, _ result: VideoFrameStage.Result) {
        let faces =
            result.sure.enumerated().map { index, subject in
                FaceSighting(subject, lips: index < result.lips.count ? result.lips[index] : nil)
            }
            + result.doubtful.map { FaceSighting($0, isSure: false) }
            + result.cutPeople.map { FaceSighting($0, isSure: false, isEstimated: true) }
        self.init(frame: frame, faces: faces, attention: result.attention)
    }
}
