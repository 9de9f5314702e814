extension Law {
  static let values: [Law] = []
}
