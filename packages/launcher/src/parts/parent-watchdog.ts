/**
 * Preloaded into every part (`node --import`). When the launcher dies in any way, the IPC channel closes, and the part stops
 * as if asked to. On systems without signals the launcher closes the channel to stop a part.
 */
if (process.channel !== undefined) {
  process.channel.unref()
  process.on('disconnect', () => {
    if (!process.emit('SIGTERM')) process.exit(0)
  })
  // Node may hang while it exits, as may listeners. The launcher counts from here, and kills a part that does.
  process.prependListener('exit', () => process.send?.({ ending: process.pid }))
}
