/** The body of a schedule for the next evening, for one outlet of a board. */
export const eveningSchedule = (board: { id: string; switchIds: readonly string[] }, switchIndex = 0) => ({
  deviceId: board.id,
  switchId: board.switchIds[switchIndex],
  switchIndex,
  startTime: '18:00',
  endTime: '22:00',
  startAction: 'on',
  endAction: 'off'
})
