extension Law {
  static let differential: [Law] = []
}
