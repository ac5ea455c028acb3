"use strict";
// Calls of zoomapi. What it sends to the hosts of the vendor is led to the sandbox.

const crypto = require("crypto");
const http = require("http");
const https = require("https");

const [site, token] = process.argv.slice(2);
const { hostname, port } = new URL(site);
https.request = (asked, heard) => http.request({ ...asked, hostname, port }, heard);

const make = require("../node_modules/zoomapi").default;
const secret = "whsec";
const api = make({
  accountId: "A1",
  oauthClientId: "app",
  oauthClientSecret: token,
  webhookSecretToken: secret,
});

async function ask(method, path, body) {
  const answer = await fetch(`${site}/v2${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
  return text ? JSON.parse(text) : {};
}

async function run(name, call) {
  let why = "";
  try {
    const result = await call();
    if (result === false || result === null) why = `returned ${result}`;
  } catch (error) {
    why = `${error.httpStatusCode} ${error.errorCode} ${error.message}`;
  }
  console.log(JSON.stringify({ call: name, why: why.slice(0, 300) }));
}

let numbers = 0;
const email = () => `zoomapi.${++numbers}@clients.example`;
const ann = () => ({ email: email(), first_name: "Ann", last_name: "Lee" });
const settings = { approval_type: 1 };
const start = { start_time: "2030-01-07T10:00:00Z", settings };
const meeting = async () => (await ask("POST", "/users/me/meetings", { topic: "A", type: 2, ...start })).id;
const webinar = async () => (await ask("POST", "/users/me/webinars", { topic: "A", type: 5, ...start })).id;
const person = async () =>
  (await ask("POST", "/users", { action: "custCreate", user_info: { ...ann(), type: 1 } })).id;
const registrant = async (kind, id) => {
  const one = ann();
  const made = await ask("POST", `/${kind}/${id}/registrants`, one);
  return { id: made.registrant_id, email: one.email };
};
const past = async () =>
  (await ask("GET", "/metrics/meetings?type=past&page_size=300")).meetings.find((each) => !each.uuid.includes("/"));
const recorded = async () => {
  for (const each of (await ask("GET", "/users?page_size=300")).users) {
    const listed = await ask("GET", `/users/${each.id}/recordings`);
    const found = listed.meetings.find((one) => !one.uuid.includes("/"));
    if (found) return found.uuid;
  }
};

async function main() {
  const { users, meetings, webinars, recordings, metrics, reports, chat, webhooks, oauth } = api;
  const [m, w, p] = [await meeting(), await webinar(), await person()];
  const held = (await ask("GET", "/metrics/webinars?type=past")).webinars[0].id; // the number
  const weekly = { type: 2, repeat_interval: 1, weekly_days: "2,4", end_times: 4 };

  await run("oauth.GetServerToServerOAuthToken", () => oauth.GetServerToServerOAuthToken());
  await run("users.ListUsers", () => users.ListUsers());
  await run("users.ListUsers: pending", () => users.ListUsers({ status: "pending", page_size: 1000 }));
  await run("users.GetUser", () => users.GetUser("me"));
  await run("users.GetUserToken", () => users.GetUserToken(p, { type: "zak" }));
  await run("users.GetUserPermissions", () => users.GetUserPermissions(p));
  await run("users.GetUserSettings", () => users.GetUserSettings(p));
  await run("users.CreateUser", () => users.CreateUser({ action: "create", user_info: { ...ann(), type: 1 } }));
  await run("users.CreateUser: broken", () => users.CreateUser({ action: "make", user_info: ann() }));
  await run("users.UpdateUser", () => users.UpdateUser(p, {}, { dept: "Sales" }));
  await run("users.UpdatePresenceStatus", () => users.UpdatePresenceStatus(p, { status: "Away" }));
  await run("users.DeleteUser", () => users.DeleteUser(p, { action: "delete" }));

  await run("meetings.ListMeetings", () => meetings.ListMeetings("me"));
  await run("meetings.ListMeetings: upcoming", () => meetings.ListMeetings("me", { type: "upcoming_meetings" }));
  await run("meetings.CreateMeeting", () => meetings.CreateMeeting("me", { topic: "A", type: 2, ...start }));
  await run("meetings.CreateMeeting: weekly", () =>
    meetings.CreateMeeting("me", { topic: "A", type: 8, ...start, recurrence: weekly }));
  await run("meetings.GetMeeting", () => meetings.GetMeeting(m));
  await run("meetings.GetMeetingInvitation", () => meetings.GetMeetingInvitation(m));
  await run("meetings.UpdateMeeting", () => meetings.UpdateMeeting(m, { topic: "B", agenda: null }));
  await run("meetings.AddRegistrant", () => meetings.AddRegistrant(m, ann()));
  await run("meetings.AddRegistrant: more", () =>
    meetings.AddRegistrant(m, { ...ann(), last_name: undefined, language: "de-DE", auto_approve: true }));
  await run("meetings.ListRegistrants", () => meetings.ListRegistrants(m, { status: "pending" }));
  const approved = { action: "approve", registrants: [await registrant("meetings", m)] };
  await run("meetings.UpdateRegistrantStatus", () => meetings.UpdateRegistrantStatus(m, approved));
  await run("meetings.UpdateMeetingStatus", async () => meetings.UpdateMeetingStatus(await meeting(), { action: "end" }));
  const silently = { schedule_for_reminder: false, cancel_meeting_reminder: false };
  await run("meetings.DeleteMeeting", async () => meetings.DeleteMeeting(await meeting(), silently));

  await run("webinars.ListWebinars", () => webinars.ListWebinars("me"));
  await run("webinars.CreateWebinar", () => webinars.CreateWebinar("me", { topic: "A", type: 5, ...start }));
  await run("webinars.GetWebinar", () => webinars.GetWebinar(w));
  await run("webinars.UpdateWebinar", () => webinars.UpdateWebinar(w, { topic: "B" }));
  await run("webinars.AddPanelists", () => webinars.AddPanelists(w, [{ name: "P", email: email() }, { name: "Q", email: email() }]));
  await run("webinars.ListPanelists", () => webinars.ListPanelists(w));
  const listed = (await ask("GET", `/webinars/${w}/panelists`)).panelists;
  await run("webinars.RemoveAPanelist", () => webinars.RemoveAPanelist(w, listed[0].id));
  await run("webinars.RemovePanelists", () => webinars.RemovePanelists(w));
  await run("webinars.AddWebinarRegistrant", () => webinars.AddWebinarRegistrant(w, ann()));
  await run("webinars.AddWebinarRegistrant: more", () =>
    webinars.AddWebinarRegistrant(w, { ...ann(), custom_questions: [], language: "de-DE" }));
  await run("webinars.ListWebinarRegistrants", () => webinars.ListWebinarRegistrants(w, { status: "pending" }));
  const one = await registrant("webinars", w);
  await run("webinars.UpdateWebinarRegistrantStatus", () =>
    webinars.UpdateWebinarRegistrantStatus(w, { action: "approve", registrants: [one] }));
  await run("webinars.DeleteWebinarRegistrant", () => webinars.DeleteWebinarRegistrant(w, one.id));
  await run("webinars.ListRegistrationQuestions", () => webinars.ListRegistrationQuestions(w));
  await run("webinars.ListPastWebinarQA", () => webinars.ListPastWebinarQA(held));
  await run("webinars.ReportWebinarParticipants", () => webinars.ReportWebinarParticipants(held));
  await run("webinars.DeleteWebinar", async () => webinars.DeleteWebinar(await webinar()));

  const uuid = await recorded();
  await run("meetings.GetMeetingRecordings", () => meetings.GetMeetingRecordings(uuid));
  await run("recordings.GetAccountRecordings", () => recordings.GetAccountRecordings("me", { page_size: 30 }));
  await run("recordings.DeleteMeetingRecordings", () => recordings.DeleteMeetingRecordings(uuid, { action: "trash" }));
  await run("metrics.GetMeetings", () => metrics.GetMeetings());
  await run("metrics.GetMeetings: past", () => metrics.GetMeetings({ type: "past", page_size: 300 }));
  const was = (await past()).uuid;
  await run("reports.GetMeetingParticipantReports", () => reports.GetMeetingParticipantReports(was));

  await run("chat.ListUserChannels", () => chat.ListUserChannels({}));
  await run("chat.ListChannelMembers", () => chat.ListChannelMembers({ channel_id: "c" }));
  await run("chat.SendChatMessage", () => chat.SendChatMessage({ message: "Hello" }));

  const event = { event: "meeting.started", event_ts: 1, payload: {} };
  const moment = String(Math.floor(Date.now() / 1000));
  const hash = (text) => crypto.createHmac("sha256", secret).update(text).digest("hex");
  const headers = {
    "x-zm-request-timestamp": moment,
    "x-zm-signature": `v0=${hash(`v0:${moment}:${JSON.stringify(event)}`)}`,
  };
  await run("webhooks.VerifyWebhookEvent", async () => webhooks.VerifyWebhookEvent({ headers, webhook: event }));
  const question = { event: "endpoint.url_validation", payload: { plainToken: "t" } };
  await run("webhooks.GetEndpointValidationResponse", async () => webhooks.GetEndpointValidationResponse(question));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
