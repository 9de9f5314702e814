extension Law {
  static let faults: [Law] = []
}
