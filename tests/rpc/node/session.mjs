// One open Session stream. It counts its messages, acknowledges the batches it reads, and keeps
// each agent's latest event.
import assert from 'node:assert/strict';
import { Fault } from './decode.mjs';

export class Session {
  constructor(stream, acknowledges) {
    this.stream = stream;
    this.acknowledges = acknowledges;
    this.sequence = 0;
    this.last_action = 0; // The sequence of the last message other than an acknowledgement.
    this.last_batch = 0;
    this.read = { revision: 0, settled_revision: 0, applied_sequence: 0, waiting: 0, coalesced: 0 };
    this.events = []; // Everything read, in order.
    this.latest = new Map(); // By agent id.
    this.unknown = []; // Unknown agents of reports: {sequence, agent_ids}.
    this.opened = null;
    this.unsafe = []; // Upserts and removals that no batch acknowledged: {sequence, action}.
  }

  // `open` is SessionRequest.Open. With acknowledges = false the test acknowledges batches itself.
  static async open(api, open, { acknowledges = true } = {}) {
    const session = new Session(api.agent.Session(), acknowledges);
    session.send({ open });
    const message = await session.stream.next();
    assert.equal(message.answer, 'opened', 'the first answer');
    session.opened = message.opened;
    return session;
  }

  // Sends `action`, one field of SessionRequest's oneof. Returns the message's sequence.
  send(action) {
    this.sequence += 1;
    if (!('acknowledge' in action)) this.last_action = this.sequence;
    this.stream.write({ sequence: this.sequence, ...action });
    if ('upsert' in action || 'remove' in action)
      this.unsafe.push({ sequence: this.sequence, action });
    return this.sequence;
  }

  // Opens the session again on another stream and sends again what no batch acknowledged. Events of
  // an older incarnation do not count any more.
  async again(api, open) {
    const { session_id } = this.opened;
    const session = await Session.open(api, { ...open, session_id });
    if (session.opened.incarnation === this.opened.incarnation) session.latest = this.latest;
    for (const { action } of this.unsafe) session.send(action);
    return session;
  }

  acknowledge(batch_number) {
    return this.send({ acknowledge: { batch_number } });
  }

  // Returns the next batch; batches are numbered without a gap.
  async batch(within_ms) {
    const message = await this.#next(within_ms);
    if (message.answer === 'rejected') {
      throw Fault.of_status(message.rejected.status, `message ${message.rejected.sequence}`);
    }
    assert.equal(message.answer, 'batch');
    return this.#take(message.batch);
  }

  // Sends `action`. Returns the Fault with which it is rejected, or null once a batch reports that
  // it took effect.
  async outcome(action) {
    const sequence = this.send(action);
    for (;;) {
      const message = await this.#next();
      if (message.answer === 'rejected') {
        assert.equal(Number(message.rejected.sequence), sequence, 'the rejected message');
        return Fault.of_status(message.rejected.status, Object.keys(action)[0]);
      }
      if (Number(this.#take(message.batch).applied_sequence) >= sequence) return null;
    }
  }

  // Reads until done(session) holds, checked before the first and after each batch. Returns the
  // batches read.
  async until(done, within_ms = 10_000) {
    const batches = [];
    const end = Date.now() + within_ms;
    while (!done(this)) batches.push(await this.batch(end - Date.now()));
    return batches;
  }

  // Reads until every action sent so far has taken effect and all agents are settled at `revision`.
  settled(revision) {
    return this.until(
      ({ read }) =>
        read.applied_sequence >= this.last_action && read.settled_revision >= Number(revision),
    );
  }

  // Returns the next message that is not `unknown`.
  async #next(within_ms) {
    for (;;) {
      const message = await this.stream.next(within_ms);
      if (message.answer !== 'unknown') return message;
      this.unknown.push(message.unknown);
    }
  }

  #take(batch) {
    this.last_batch += 1;
    assert.equal(Number(batch.batch_number), this.last_batch, 'batches are numbered from 1');
    this.read = {
      revision: Number(batch.revision),
      settled_revision: Number(batch.settled_revision),
      applied_sequence: Number(batch.applied_sequence),
      waiting: Number(batch.waiting),
      coalesced: Number(batch.coalesced),
      durable_revision: Number(batch.durable_revision),
      incarnation: Number(batch.incarnation),
    };
    assert.equal(batch.incarnation, this.opened.incarnation, 'a stream has one incarnation');
    assert.ok(
      Number(batch.taken_sequence) === 0 ||
        Number(batch.taken_sequence) > this.read.applied_sequence,
      'taken_sequence is told where it says more',
    );
    this.unsafe = this.unsafe.filter(({ sequence }) => sequence > this.read.applied_sequence);
    assert.ok(
      this.read.settled_revision <= this.read.revision,
      'nothing is settled ahead of the world',
    );
    for (const event of batch.events) {
      this.events.push(event);
      this.latest.set(event.agent_id, event);
    }
    if (this.acknowledges) this.acknowledge(batch.batch_number);
    return batch;
  }
}
