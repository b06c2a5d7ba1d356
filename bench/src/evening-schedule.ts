/** A schedule of every evening, as it stands in the database; the rest of a document says whose, of what, and when next. */
export const eveningSchedule = {
  startTime: '18:00',
  endTime: '22:00',
  startAction: 'on',
  endAction: 'off',
  repeatType: 'daily',
  repeatDays: [],
  endDate: null,
  runDate: null,
  timezone: 'Asia/Kathmandu',
  tzVersion: process.versions['tz'],
  isActive: true,
  planRev: 0
}
