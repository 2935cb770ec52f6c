/// A class of objects that the subject network finds: the 80 names of COCO, in the order of the network's outputs.
///
/// The raw value is the English name in lower case; some have a space, such as `traffic light`.
package enum SubjectClass: String, CaseIterable, Codable, Sendable {
    case person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, trafficLight = "traffic light"
    case fireHydrant = "fire hydrant", stopSign = "stop sign", parkingMeter = "parking meter", bench, bird, cat, dog
    case horse, sheep, cow, elephant, bear, zebra, giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis
    case snowboard, sportsBall = "sports ball", kite, baseballBat = "baseball bat", baseballGlove = "baseball glove"
    case skateboard, surfboard, tennisRacket = "tennis racket", bottle, wineGlass = "wine glass", cup, fork, knife
    case spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot, hotDog = "hot dog", pizza, donut, cake, chair
    case couch, pottedPlant = "potted plant", bed, diningTable = "dining table", toilet, tv, laptop, mouse, remote
    case keyboard, cellPhone = "cell phone", microwave, oven, toaster, sink, refrigerator, book, clock, vase, scissors
    case teddyBear = "teddy bear", hairDrier = "hair drier", toothbrush
}
