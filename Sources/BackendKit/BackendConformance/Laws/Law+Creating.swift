extension Law {
  static let creating: [Law] = []
}
