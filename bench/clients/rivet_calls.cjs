"use strict";
// Calls of @zoom/rivet, the vendor's own library. What it sends to the hosts of the vendor is led to
// the sandbox.

const http = require("http");
const https = require("https");

const [site, token] = process.argv.slice(2);
const { hostname, port } = new URL(site);
https.request = (asked, heard) =>
  http.request({ ...asked, protocol: "http:", agent: undefined, hostname, host: hostname, port }, heard);

const { UsersS2SAuthClient } = require("../node_modules/@zoom/rivet/users/users.cjs");
const { MeetingsS2SAuthClient } = require("../node_modules/@zoom/rivet/meetings/meetings.cjs");
const app = { accountId: "A1", clientId: "app", clientSecret: token, disableReceiver: true };
const { endpoints: people } = new UsersS2SAuthClient(app);
const { endpoints: sessions } = new MeetingsS2SAuthClient(app);

async function run(name, call) {
  let why = "";
  let data;
  try {
    ({ data } = await call());
  } catch (error) {
    why = String(error.message ?? error);
  }
  console.log(JSON.stringify({ call: name, why: why.slice(0, 300) }));
  return data;
}

let numbers = 0;
const ann = () => ({ email: `rivet.${++numbers}@clients.example`, first_name: "Ann", last_name: "Lee" });

async function main() {
  const { users, groups } = people;
  const { meetings, webinars, trackingField, reports } = sessions;
  const info = { ...ann(), type: 1 };
  const body = { action: "custCreate", user_info: info };
  const made = await run("createUsers", () => users.createUsers({ body }));
  const path = { userId: made?.id ?? "me" };
  await run("listUsers", () => users.listUsers({ query: { page_size: 300 } }));
  await run("getUser", () => users.getUser({ path }));
  await run("updateUser", () => users.updateUser({ path, body: { dept: "Sales" } }));
  await run("getUserSettings", () => users.getUserSettings({ path }));
  await run("checkUserEmail", () => users.checkUserEmail({ query: { email: info.email } }));
  await run("listUserAssistants", () => users.listUserAssistants({ path }));
  await run("listUserSchedulers", () => users.listUserSchedulers({ path }));
  await run("getUserPermissions", () => users.getUserPermissions({ path }));
  const status = { action: "deactivate" };
  await run("updateUserStatus", () => users.updateUserStatus({ path, body: status }));
  const transfers = { action: "delete", transfer_whiteboard: false };
  await run("deleteUser", () => users.deleteUser({ path, query: transfers }));
  await run("listGroups", () => groups.listGroups({}));
  const group = await run("createGroup", () => groups.createGroup({ body: { name: "Rivet" } }));
  const groupId = group?.id;
  await run("getGroup", () => groups.getGroup({ path: { groupId } }));
  await run("deleteGroup", () => groups.deleteGroup({ path: { groupId } }));
  const mine = { userId: "me" };
  const plan = { topic: "Review", type: 2, start_time: "2030-01-07T10:00:00Z", duration: 30 };
  const registers = { ...plan, settings: { approval_type: 1 } };
  const meeting = await run("createMeeting", () =>
    meetings.createMeeting({ path: mine, body: registers }));
  const meetingId = meeting?.id;
  const at = { meetingId };
  await run("listMeetings", () => meetings.listMeetings({ path: mine }));
  await run("getMeeting", () => meetings.getMeeting({ path: at }));
  await run("updateMeeting", () => meetings.updateMeeting({ path: at, body: { topic: "Other" } }));
  await run("getMeetingInvitation", () => meetings.getMeetingInvitation({ path: at }));
  const stream = { stream_url: "https://live.example/in", stream_key: "key", page_url: "https://x.example" };
  await run("updateLivestream", () => meetings.updateLivestream({ path: at, body: stream }));
  await run("getLivestreamDetails", () => meetings.getLivestreamDetails({ path: at }));
  await run("addMeetingRegistrant", () => meetings.addMeetingRegistrant({ path: at, body: ann() }));
  await run("listMeetingRegistrants", () => meetings.listMeetingRegistrants({ path: at }));
  await run("listMeetingPolls", () => meetings.listMeetingPolls({ path: at }));
  await run("deleteMeeting", () => meetings.deleteMeeting({ path: at }));
  await run("listWebinars", () => webinars.listWebinars({ path: mine }));
  await run("listTrackingFields", () => trackingField.listTrackingFields({}));
  const days = { year: 2026, month: 9 };
  await run("getDailyUsageReport", () => reports.getDailyUsageReport({ query: days }));
}

main().then(() => process.exit());
