public enum BuildStamp {}
