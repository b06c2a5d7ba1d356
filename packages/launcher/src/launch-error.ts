/** A reason not to start, in one sentence for the user. */
export class LaunchError extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'LaunchError'
  }
}
