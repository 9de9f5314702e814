extension Law {
  static let listing: [Law] = []
}
