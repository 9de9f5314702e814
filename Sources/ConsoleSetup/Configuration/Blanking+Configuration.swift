extension Blanking {
  /// A blanking with the secrets of all backends of a configuration, as far as they can be read, since a secret of one
  /// may be sent to another.
  public convenience init(_ configuration: Configuration, environment: [String: String]) {
    let names = configuration.backends.flatMap(\.secretNames)
    let withFields = configuration.backends.filter { !$0.secretNames.isEmpty }.map(\.name)
    self.init(names: names, backends: configuration.backends.map(\.name), withFields: withFields) {
      let secret = SecretNames(names)
      return (environment["SWITCHBOARD_PASSWORD"].map { [$0] } ?? [])
        + configuration.backends.flatMap { $0.secrets(secret) }
    }
  }
}
