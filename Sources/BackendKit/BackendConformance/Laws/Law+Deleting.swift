extension Law {
  static let deleting: [Law] = []
}
