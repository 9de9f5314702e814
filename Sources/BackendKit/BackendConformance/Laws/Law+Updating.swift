extension Law {
  static let updating: [Law] = []
}
