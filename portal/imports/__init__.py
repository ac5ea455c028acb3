"""Tables that come in: read, their columns mapped, compared with what is there, and imported.

sheets     files and pasted texts to tables
forms      a table is sent, and its columns are given their meaning
columns    the columns that a table may have
rows       a row to the values that it asks for
plan       what is asked for against what is there: the items of a job
job_type   the jobs that import

What an account has by name, such as its devices, takes one declaration:

class RoomImportJob(ResourceImportJob): ...  # the job type, which the `DOMAIN` lists

urlpatterns = [..., *import_paths("rooms/", RoomImportJob)]  # its pages
"""
