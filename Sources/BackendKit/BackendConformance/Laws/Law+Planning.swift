extension Law {
  static let planning: [Law] = []
}
