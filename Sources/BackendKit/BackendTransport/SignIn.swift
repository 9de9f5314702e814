/// A login by a person, in a browser on this machine or with a code on any device.
public struct SignIn: Sendable {
  /// The step that the person has to take.
  public enum Step: Sendable, Hashable {
    /// Opening an address in a browser on this machine, which leads back to a port of it.
    case browser(address: String, port: Int)
    /// Typing a code at an address on any device, within a number of seconds. The address `direct` contains the code.
    case device(address: String, code: String, direct: String?, lifetime: Int)
  }

  /// True if the login ends with this run.
  public var isForSession: Bool
  /// True if no browser can be opened on this machine: a code is used, if the server gives any.
  public var prefersDevice: Bool
  /// Shows the step; called once.
  public var show: @Sendable (Step) -> Void

  /// A login.
  public init(isForSession: Bool = false, prefersDevice: Bool = false, show: @escaping @Sendable (Step) -> Void) {
    self.isForSession = isForSession
    self.prefersDevice = prefersDevice
    self.show = show
  }
}
