/**
 * Preloaded into every part (`node --import`): a part whose launcher has died, however it died, stops as if it had been
 * asked to. The channel says so; on systems without signals it is also how the launcher asks.
 */
if (process.channel !== undefined) {
  process.channel.unref()
  process.on('disconnect', () => {
    if (!process.emit('SIGTERM')) process.exit(0)
  })
}
