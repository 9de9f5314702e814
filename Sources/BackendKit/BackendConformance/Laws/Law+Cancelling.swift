extension Law {
  static let cancelling: [Law] = []
}
