extension Law {
  static let refusing: [Law] = []
}
