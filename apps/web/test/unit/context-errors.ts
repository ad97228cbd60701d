// A VM context has an `Error` of its own, but the process's DOMException, which would be no `instanceof Error`.
Object.setPrototypeOf(DOMException.prototype, Error.prototype);
