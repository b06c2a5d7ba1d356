/** Thrown by a sender whose provider works, but does not take this one receiver. */
export class ReceiverRefused extends Error {}
