extension Law {
  static let getting: [Law] = []
}
