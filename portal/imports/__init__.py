"""Imports of tables: their reading, the mapping of columns, the comparison, and the jobs.

sheets     tables from files and pasted texts
forms      the upload of a table, and the mapping of its columns
columns    the columns that a table may have
mapping    the values of a row
plan       the comparison of rows with the account, and the job that imports them
resources  imports that need one declaration

Objects that an account lists by name, such as its devices, need one declaration:

class RoomImportJob(ResourceImportJob): ...  # the job type, which the `DOMAIN` lists

urlpatterns = [..., *import_paths("rooms/", RoomImportJob)]  # its pages
"""
