// Loaded into the server's process before the app: the journey moves its clock, so that 45 minutes of swimming do not
// take 45 minutes of testing. The app itself does not know of it.
const RealDate = Date;
let shift_ms = 0;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shift_ms);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + shift_ms;
  }
};

process.on('message', (message) => {
  if (!('shift_ms' in message)) return;
  shift_ms = message.shift_ms;
  process.send({ shift_ms });
});
// The channel to the journey must not keep the server alive, and no server outlives its journey, however that ends.
process.channel?.unref();
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
