extension Law {
  static let identifiers: [Law] = []
}
