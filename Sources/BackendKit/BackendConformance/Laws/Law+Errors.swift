extension Law {
  static let errors: [Law] = []
}
