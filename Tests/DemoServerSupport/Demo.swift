/// A demo server as the tests of its dialects use it.
public typealias Demo = DemoProcess
